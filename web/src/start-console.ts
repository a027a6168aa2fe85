import { start } from './start.ts'

void start('console', () => import('./console/app.tsx'))
