import { loadVerifierWords } from './core/verifier-words.ts'
import { start } from './start.ts'

void start('request', () => import('./request-entry.tsx'), loadVerifierWords())
