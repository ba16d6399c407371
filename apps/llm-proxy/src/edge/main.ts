import { runService } from '@codelab/service-shell';
import { llmProxyService } from './llm-proxy-service.js';

void runService(llmProxyService());
