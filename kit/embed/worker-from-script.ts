interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/** Starts a worker from the page's own inline script. Throws if the browser does not allow it. */
export function workerFromScript(script: string): Worker {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  try {
    return new Worker(trusted(url))
  } finally {
    // The browser starts loading at once, but may still need the URL for a moment.
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

function trusted(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('kitseal', { createScriptURL: (own) => own })
  return policy?.createScriptURL(url) ?? url
}
