import { start } from './start.ts'

void start('verify', () => import('./verify/verify-page.tsx'))
