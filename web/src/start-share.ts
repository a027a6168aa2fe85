import { start } from './start.ts'

void start('share', () => import('./outside/share/share-page.tsx'))
