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

export const ja: Texts = {
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
export { ja as kit } from '@kitseal/kit/texts/ja'
export { ja as view, service } from '@kitseal/kit/in-browser/texts/ja'

export { errors } from './errors.ts'

/** What findings say. */
export { ja as evidence } from '@kitseal/examiner/texts/ja'
