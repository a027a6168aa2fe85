import { loadVerifierWords } from './core/verifier-words.ts'
import { start } from './start.ts'

void start('console', () => import('./console-entry.tsx'), loadVerifierWords())
