// The web standards that kit/src uses. Anything else (Buffer, node:fs, process, the DOM) does not compile there.

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
  encodeInto(text: string, into: Uint8Array): { readonly written: number }
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

interface WebCryptoAlgorithm {
  readonly name: 'Ed25519' | 'ECDSA' | 'RSASSA-PKCS1-v1_5' | 'RSA-PSS'
  readonly hash?: string
  readonly namedCurve?: string
  readonly saltLength?: number
}

declare const crypto: {
  readonly subtle?: {
    digest(algorithm: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512', bytes: Uint8Array): Promise<ArrayBuffer>
    importKey(
      format: 'raw' | 'spki',
      bytes: Uint8Array,
      algorithm: WebCryptoAlgorithm,
      extractable: boolean,
      usages: readonly 'verify'[],
    ): Promise<WebCryptoKey>
    verify(
      algorithm: WebCryptoAlgorithm,
      key: WebCryptoKey,
      signature: Uint8Array,
      message: Uint8Array,
    ): Promise<boolean>
  }
}

declare class URL {
  constructor(address: string)
  static canParse(address: string): boolean
  readonly protocol: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
}
