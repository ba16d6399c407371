import { runService } from '@codelab/service-shell';
import { gatewayService } from './gateway-service.js';

void runService(gatewayService());
