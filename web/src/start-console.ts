import { start } from './start.ts'

void start('console', () => import('./console-entry.tsx'))
