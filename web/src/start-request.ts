import { start } from './start.ts'

void start('request', () => import('./outside/request/request-page.tsx'))
