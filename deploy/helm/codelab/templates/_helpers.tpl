{{- define "codelab.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "codelab.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "codelab.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "codelab.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The services: name → their values. */}}
{{- define "codelab.services" -}}
gateway: gateway
agent-runtime: agentRuntime
llm-proxy: llmProxy
{{- end -}}

{{- define "codelab.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/part-of: codelab
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "codelab.selector" . }}
{{- end -}}

{{- define "codelab.selector" -}}
app.kubernetes.io/name: {{ include "codelab.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "codelab.ownSecret" -}}
{{- printf "%s-secrets" (include "codelab.fullname" .) -}}
{{- end -}}

{{/* Whether the chart makes a Secret of its own: `redis.url` stands there, whatever else is in an existing one. */}}
{{- define "codelab.makesSecret" -}}
{{- if or .Values.redis.url (not .Values.existingSecret) -}}true{{- end -}}
{{- end -}}

{{/* Where REDIS_URL is. */}}
{{- define "codelab.redisSecret" -}}
{{- if .Values.redis.url -}}{{- include "codelab.ownSecret" . -}}{{- else -}}{{- .Values.existingSecret -}}{{- end -}}
{{- end -}}

{{/* Where all other secrets are. */}}
{{- define "codelab.secret" -}}
{{- .Values.existingSecret | default (include "codelab.ownSecret" .) -}}
{{- end -}}

{{- define "codelab.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "codelab.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* Names by which services are asked inside the cluster, and from outside. */}}
{{- define "codelab.allowedHosts" -}}
{{- $full := include "codelab.fullname" . -}}
{{- $hosts := list -}}
{{- range $service := list "gateway" "llm-proxy" -}}
{{- $hosts = append $hosts (printf "%s-%s.%s" $full $service $.Release.Namespace) -}}
{{- $hosts = append $hosts (printf "%s-%s.%s.svc" $full $service $.Release.Namespace) -}}
{{- $hosts = append $hosts (printf "%s-%s.%s.svc.cluster.local" $full $service $.Release.Namespace) -}}
{{- end -}}
{{- if and .Values.ingress.enabled .Values.ingress.host -}}{{- $hosts = append $hosts .Values.ingress.host -}}{{- end -}}
{{- concat $hosts .Values.allowedHosts | join "," -}}
{{- end -}}

{{/* Until a pod is killed: it is taken out of the endpoints, drains, and closes. */}}
{{- define "codelab.graceSeconds" -}}
{{- add (int .Values.preStopSeconds) (ceil (divf (float64 .Values.drainTimeoutMs) 1000.0) | int) 7 -}}
{{- end -}}

{{/* Secrets that a service reads; others it isn't given. */}}
{{- define "codelab.secretKeys" -}}
{{- $keys := list "OTEL_EXPORTER_OTLP_HEADERS" -}}
{{- if eq .service "gateway" -}}{{- $keys = concat $keys (list "CODELAB_TOKENS" "CODELAB_JWT_SECRET" "CODELAB_OIDC_CLIENT_SECRET") -}}{{- end -}}
{{- if eq .service "agent-runtime" -}}{{- $keys = concat $keys (list "CODELAB_SEARCH_API_KEY") -}}{{- end -}}
{{- if eq .service "llm-proxy" -}}{{- $keys = concat $keys (list "CODELAB_TOKENS" "CODELAB_JWT_SECRET" "OPENAI_API_KEY" "ANTHROPIC_API_KEY") -}}{{- end -}}
{{- concat $keys .values.secretKeys | uniq | toJson -}}
{{- end -}}

{{/* Ports at which Redis is reached: those of `redis.url`, and `redis.ports`; with Sentinel 6379 where these are none. */}}
{{- define "codelab.redisPorts" -}}
{{- $ports := list -}}
{{- with .Values.redis.url -}}
{{- $usual := ternary "26379" "6379" (regexMatch "^rediss?[+]sentinel://" .) -}}
{{- range regexReplaceAll "^[^:]+://([^/]*@)?([^/?#]*).*$" . "${2}" | splitList "," -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" . | trimPrefix ":" | default $usual | int) -}}
{{- end -}}
{{- end -}}
{{- range .Values.redis.ports -}}{{- $ports = append $ports (int .) -}}{{- end -}}
{{- if and (regexMatch "^rediss?[+]sentinel://" .Values.redis.url) (not .Values.redis.ports) -}}{{- $ports = append $ports 6379 -}}{{- end -}}
{{- uniq $ports | toJson -}}
{{- end -}}

{{/*
Whether a service asks for what is outside, at `networkPolicy.egressPorts`: runtimes for pages and tools, proxies for models; gateways only
for keys of tokens, sign-ins, and a collector that is asked by https.
*/}}
{{- define "codelab.asksOutside" -}}
{{- $config := merge (deepCopy .values.config) .shared -}}
{{- $collectors := list (get $config "OTEL_EXPORTER_OTLP_ENDPOINT") (get $config "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") -}}
{{- if or (ne .service "gateway") (get $config "CODELAB_OIDC_ISSUER") (get $config "CODELAB_JWT_JWKS_URL") (join " " $collectors | contains "https://") -}}
true
{{- end -}}
{{- end -}}

{{/*
Who may reach a service: runtimes are only scraped. Without `networkPolicy.from` the others are for the cluster, and for everybody where
their Service is published.
*/}}
{{- define "codelab.peers" -}}
{{- $peers := list -}}
{{- if ne .service "agent-runtime" -}}
{{- $peers = .policy.from -}}
{{- if not $peers -}}
{{- $peers = list (dict "namespaceSelector" dict) -}}
{{- if ne .values.service.type "ClusterIP" -}}
{{- $peers = concat $peers (list (dict "ipBlock" (dict "cidr" "0.0.0.0/0")) (dict "ipBlock" (dict "cidr" "::/0"))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- concat $peers .policy.metricsFrom | uniq | toJson -}}
{{- end -}}

{{/* Three quarters of a limit of memory in MiB, for the heap of Node.js; nothing without a limit. */}}
{{- define "codelab.heapMiB" -}}
{{- $limit := dig "limits" "memory" "" .resources -}}
{{- with ternary (printf "%.0f" $limit) (toString $limit) (kindIs "float64" $limit) -}}
{{- $bytes := dict "" 1.0 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 -}}
{{- $unit := regexFind "[a-zA-Z]*$" . -}}
{{- if not (and (regexMatch "^[0-9.]+[a-zA-Z]*$" .) (hasKey $bytes $unit)) -}}
{{- fail (printf "resources.limits.memory: %s is no amount of memory such as 1Gi" .) -}}
{{- end -}}
{{- divf (mulf (trimSuffix $unit . | float64) (get $bytes $unit) 0.75) 1048576.0 | floor | int64 -}}
{{- end -}}
{{- end -}}

{{/* Whether something else decides how many pods of a service run: its CPU for the gateway, KEDA for the others. */}}
{{- define "codelab.isScaled" -}}
{{- if ternary .root.Values.gateway.autoscaling.enabled .root.Values.keda.enabled (eq .service "gateway") -}}true{{- end -}}
{{- end -}}
