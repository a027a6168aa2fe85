import type { MessageArguments } from './arguments.generated.ts'

/** Writes a message. `Element` may stand in for an argument, `Written` is what comes out. */
export type Translate<Keys extends string, Element = never, Written = string> = <K extends Keys>(
  key: K,
  ...args: Arguments<K, Element>
) => Written

export type Arguments<K, Element = never> = K extends keyof MessageArguments
  ? [args: { readonly [Name in keyof MessageArguments[K]]: MessageArguments[K][Name] | Element }]
  : []
