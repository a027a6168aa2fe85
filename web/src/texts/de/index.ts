import type { Texts } from '../texts.ts'
import { consoleTexts } from './console/index.ts'
import { log } from './log.ts'
import { outside } from './outside.ts'
import { pages } from './pages.ts'
import { preview } from './preview.ts'
import { provenance } from './provenance.ts'
import { request } from './request.ts'
import { room } from './room.ts'
import { share } from './share.ts'
import { verify } from './verify.ts'

export const de: Texts = {
  ...pages,
  verify,
  log,
  outside,
  preview,
  provenance,
  request,
  room,
  share,
  console: consoleTexts,
}

/** What verifiers say. */
export { de as kit } from '@kitseal/kit/texts/de'
export { de as view, service } from '@kitseal/kit/in-browser/texts/de'

export { errors } from './errors.ts'

/** What findings say. */
export { de as evidence } from '@kitseal/examiner/texts/de'
