import { consoleTexts } from './console/index.ts'
import { log } from './log.ts'
import { pages } from './pages.ts'
import { preview } from './preview.ts'
import { verify } from './verify.ts'

export const en = { ...pages, verify, log, preview, console: consoleTexts }
