import { getDocument, PDFWorker, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { nameText } from '../../core/readable.ts'

/** A PDF file whose pages are drawn one at a time. */
export interface OpenPdf {
  readonly pageCount: number
  /** Draws a page on a canvas that has no other page, and returns the text of the page. */
  drawPage(page: PageToDraw, signal: AbortSignal): Promise<string>
  /** What the preview leaves out, as far as pages were drawn. */
  undrawn(): Undrawn
  close(): void
}

export interface Undrawn {
  readonly images: boolean
  readonly text: boolean
}

export interface PageToDraw {
  readonly number: number
  readonly canvas: HTMLCanvasElement
  readonly widthPixels: number
}

export type PdfProblem = 'damaged' | 'password'

const MAX_CANVAS_PIXELS = 16_000_000
const MAX_CANVAS_SIDE = 8192
const MAX_IMAGE_PIXELS = 100_000_000
const MAX_TEXT_CHARACTERS = 50_000

/** Opens a file in a worker of its own. Scripts, actions, links and XFA forms in it are ignored. */
export async function openPdf(bytes: Uint8Array, signal: AbortSignal): Promise<OpenPdf | PdfProblem> {
  const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  const close = (): void => port.terminate()
  signal.addEventListener('abort', close, { once: true })
  const failed = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new Error('the PDF reader did not start')), { once: true })
  })
  try {
    const missing = { text: false }
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
      BinaryDataFactory: withoutData(missing),
    })
    const pdf = await Promise.race([opening.promise, failed])
    const images = hasUndrawnImages(bytes)
    return {
      pageCount: pdf.numPages,
      drawPage: (page, stop) => drawPage(pdf, page, stop),
      undrawn: () => ({ images, text: missing.text }),
      close,
    }
  } catch (error) {
    close()
    const { name } = error instanceof Error ? error : { name: '' }
    if (name === 'PasswordException') return 'password'
    if (name === 'InvalidPDFException') return 'damaged'
    throw error
  }
}

/** pdf.js asks for a predefined character map when the text of a page needs one. It gets none. */
function withoutData(missing: { text: boolean }) {
  return class {
    async fetch({ kind }: { readonly kind: string }): Promise<never> {
      if (kind === 'cMapUrl') missing.text = true
      throw new Error('not available in a preview')
    }
  }
}

const CHUNK_BYTES = 1024 * 1024
const LONGEST_NAME = 20

/** Whether the file has images for which there is no decoder. The dictionary of an image is never compressed. */
export function hasUndrawnImages(bytes: Uint8Array): boolean {
  const latin1 = new TextDecoder('latin1')
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const text = latin1.decode(bytes.subarray(start, start + CHUNK_BYTES + LONGEST_NAME))
    if (/\/(?:JBIG2|JPX|CCITTFax)Decode/.test(text)) return true
  }
  return false
}

type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>

async function drawPage(
  pdf: Pdf,
  { number, canvas, widthPixels }: PageToDraw,
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
