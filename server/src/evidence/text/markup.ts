import type { TextReport } from './text-check.ts'

/** HTML forgives everything, so the question is only whether it is any; scripts in it are noted. */
export function htmlReport(head: Uint8Array, whole: Uint8Array | undefined): TextReport {
  const decoder = new TextDecoder(head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : 'utf-8')
  const start = decoder.decode(head)
  if (!/<(?:!doctype\s+html|html|head|body|title|meta|div|table|h[1-6]|p|!--)[\s>/-]/i.test(start)) {
    return { findings: [{ code: 'type_mismatch', seen: 'it holds no HTML' }], notes: [] }
  }
  const searched = whole === undefined ? start : new TextDecoder().decode(whole)
  const scripts = /<script[\s>]/i.test(searched)
  return { findings: [], notes: scripts ? ['holds scripts, which run where it is opened in a browser'] : [] }
}
