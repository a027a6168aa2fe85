// The web standards that kit/src uses. Anything else (Buffer, node:fs, process, the DOM) does not compile there.

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
}

declare class TextDecoder {
  constructor(label: 'utf-8', options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean })
  decode(bytes?: Uint8Array): string
}

interface ReadableStreamReader {
  read(): Promise<
    { readonly done: false; readonly value: Uint8Array } | { readonly done: true; readonly value?: undefined }
  >
  cancel(reason?: unknown): Promise<void>
}

interface WritableStreamWriter {
  readonly ready: Promise<unknown>
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
  abort(reason?: unknown): Promise<void>
}

declare class DecompressionStream {
  constructor(format: 'deflate-raw')
  readonly readable: { getReader(): ReadableStreamReader }
  readonly writable: { getWriter(): WritableStreamWriter }
}

interface WebCryptoKey {
  readonly type: string
}

declare const crypto: {
  readonly subtle?: {
    digest(algorithm: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer>
    importKey(
      format: 'raw',
      bytes: Uint8Array,
      algorithm: { readonly name: 'Ed25519' },
      extractable: boolean,
      usages: readonly 'verify'[],
    ): Promise<WebCryptoKey>
    verify(
      algorithm: { readonly name: 'Ed25519' },
      key: WebCryptoKey,
      signature: Uint8Array,
      message: Uint8Array,
    ): Promise<boolean>
  }
}
