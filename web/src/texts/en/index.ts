import { consoleTexts } from './console/index.ts'
import { pages } from './pages.ts'
import { verify } from './verify.ts'

export const en = { ...pages, verify, console: consoleTexts }
