// docs/decisions/0311
import { type VerifyOrder, type Verification, verifySubject } from './verify-subject.ts'

export type VerifyReply =
  | { readonly is: 'progress'; readonly bytesRead: number }
  | { readonly is: 'done'; readonly verification: Verification }
  | { readonly is: 'failed'; readonly message: string }

const reply = (message: VerifyReply): void => postMessage(message)
const PROGRESS_EVERY_MS = 50
let lastProgress = 0

addEventListener('message', ({ data }: MessageEvent<VerifyOrder>) => {
  verifySubject(data, report).then(
    (verification) => reply({ is: 'done', verification }),
    (error: unknown) => reply({ is: 'failed', message: String(error) }),
  )
})

function report(bytesRead: number): void {
  const now = performance.now()
  if (now - lastProgress < PROGRESS_EVERY_MS) return
  lastProgress = now
  reply({ is: 'progress', bytesRead })
}
