import { start } from './start.ts'

void start('share', () => import('./share-entry.tsx'))
