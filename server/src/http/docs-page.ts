/** One page of HTML with the whole interface in it: no script, one stylesheet. */

export interface Described {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly 'x-service-boundary'?: string
}

export function docsPage(_description: Described): string {
  return ''
}

interface Operation {
  readonly summary?: string
}
interface Schema {
  readonly type?: string
}
