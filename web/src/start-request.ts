import { start } from './start.ts'

void start('request', () => import('./request-entry.tsx'))
