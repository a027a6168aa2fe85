import { getDocument, PDFWorker, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { nameText } from '../../core/readable.ts'

/** A PDF file whose pages are drawn one at a time. */
export type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>

export type PdfProblem = 'damaged' | 'password'

const MAX_CANVAS_PIXELS = 16_000_000
const MAX_CANVAS_SIDE = 8192
const MAX_IMAGE_PIXELS = 100_000_000
const MAX_TEXT_CHARACTERS = 50_000

/** Opens a file in a worker of its own. Scripts, actions, links and XFA forms in it are ignored. */
export async function openPdf(bytes: Uint8Array, signal: AbortSignal): Promise<Pdf | PdfProblem> {
  const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  signal.addEventListener('abort', () => port.terminate(), { once: true })
  const failed = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new Error('the PDF reader did not start')), { once: true })
  })
  const opening = getDocument({
    // The bytes are transferred to the worker.
    data: bytes.slice(),
    worker: PDFWorker.create({ port }),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    // The Content-Security-Policy does not allow WebAssembly.
    useWasm: false,
    useWorkerFetch: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    BinaryDataFactory: NoData,
  })
  return Promise.race([opening.promise, failed]).catch((error: unknown) => {
    port.terminate()
    const { name } = error instanceof Error ? error : { name: '' }
    if (name === 'PasswordException') return 'password'
    if (name === 'InvalidPDFException') return 'damaged'
    throw error
  })
}

/** pdf.js asks for predefined character maps and fonts. It gets none. */
class NoData {
  async fetch(): Promise<never> {
    throw new Error('not available in a preview')
  }
}

/** Draws a page on a canvas that has no other page, and returns the text of the page. */
export async function drawPage(
  pdf: Pdf,
  number: number,
  canvas: HTMLCanvasElement,
  widthPixels: number,
  signal: AbortSignal,
): Promise<string> {
  const page = await pdf.getPage(number)
  signal.throwIfAborted()
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(
    widthPixels / width,
    MAX_CANVAS_SIDE / Math.max(width, height),
    Math.sqrt(MAX_CANVAS_PIXELS / (width * height)),
  )
  const viewport = page.getViewport({ scale })
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  const drawing = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => drawing.cancel(), { once: true })
  await drawing.promise
  const { items } = await page.getTextContent()
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  page.cleanup()
  return nameText(text.slice(0, MAX_TEXT_CHARACTERS))
}
