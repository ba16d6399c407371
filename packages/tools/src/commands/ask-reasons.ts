const group = (reason: string, names: string): readonly (readonly [string, string])[] => names.split(/\s+/).map((name) => [name, reason]);

/** What people have to know of a program before they let it run, by name. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ...group(
    'uses the network',
    'curl wget nc ncat netcat socat telnet ftp sftp scp rsync ssh sshfs ping traceroute nmap http https aria2c lynx w3m mail sendmail openssl gh glab',
  ),
  ...group('looks up names in the network', 'dig nslookup host whois resolvectl'),
  ...group(
    'installs or removes packages',
    'apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk brew port snap flatpak pip pip3 pipx uv poetry conda mamba gem bundle composer choco winget scoop nix nix-env',
  ),
  ...group(
    'runs code of its arguments or of a file',
    'node nodejs deno bun python python2 python3 pypy pypy3 perl ruby php lua luajit tclsh osascript Rscript julia groovy scala kotlin ts-node tsx esbuild-runner awk gawk mawk nawk sed ed vim vi nvim emacs pwsh powershell cmd wscript cscript',
  ),
  ...group('runs a shell', 'sh bash dash ash zsh ksh mksh rbash fish csh tcsh busybox toybox'),
  ...group('runs code of packages', 'npx pnpx bunx uvx dlx'),
  ...group(
    'runs scripts of the workspace',
    'npm pnpm yarn make gmake just task rake gradle gradlew mvn mvnw ant bazel cmake ninja meson scons invoke nox tox',
  ),
  ...group(
    'builds or runs code of the workspace',
    'cargo go rustc gcc g++ clang clang++ cc javac java dotnet swift tsc jest vitest mocha pytest',
  ),
  ...group(
    'changes the shell for what follows',
    'export alias unalias declare typeset local readonly set unset shopt enable hash read mapfile readarray getopts trap source .',
  ),
  ...group('ends programs', 'kill killall pkill xkill taskkill fuser'),
  ...group(
    'starts or stops services',
    'systemctl service launchctl rc-service initctl shutdown reboot halt poweroff init supervisorctl pm2',
  ),
  ...group('removes files', 'rm rmdir unlink shred srm trash del erase rd git-clean'),
  ...group(
    'changes files',
    'mv cp ln install touch mkdir dd truncate tee split csplit patch rename chmod chown chgrp setfacl icacls mkfifo mknod sponge',
  ),
  ...group('packs or unpacks files', 'tar zip unzip gzip gunzip bzip2 bunzip2 xz unxz zstd 7z 7za rar unrar cpio ar jar'),
  ...group(
    'controls containers or infrastructure',
    'docker docker-compose podman nerdctl kubectl helm terraform tofu ansible ansible-playbook vagrant packer pulumi',
  ),
  ...group('controls a cloud', 'aws gcloud gsutil az doctl heroku flyctl fly vercel netlify wrangler firebase s3cmd rclone'),
  ...group('manages users', 'useradd userdel usermod groupadd groupdel adduser deluser passwd chpasswd chsh chfn visudo vipw dscl net'),
  ...group('runs commands later', 'cron crontab at batch atq anacron schtasks'),
  ...group(
    'changes settings of the system',
    'sysctl defaults reg regedit networksetup scutil nvram systemsetup hostname hostnamectl timedatectl localectl mount umount gsettings ip ifconfig route',
  ),
  ...group('handles certificates or keys', 'keytool certutil update-ca-certificates security gpg gpg2 ssh-keygen ssh-add ssh-agent pass'),
  ...group('shows variables, which may hold secrets', 'env printenv history'),
  ...group('never ends', 'top htop btop atop watch yes less more man'),
  ...group('decodes or formats text that another program may run', 'base64 base32 xxd uudecode printf hexdump od'),
]);

/** Why a program asks, as a clause. */
export const findAskReason = (name: string): string => REASONS.get(name) ?? `${name} is not known to be harmless`;
