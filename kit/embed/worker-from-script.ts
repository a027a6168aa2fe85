interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/**
 * Starts workers from the page's own inline script; throws if the browser does not allow it. Made once per page: a browser
 * accepts a policy of this name once.
 */
export function workersFromScript(script: string): () => Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  let policy: ReturnType<TrustedTypes['createPolicy']> | undefined
  return () => {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
    try {
      policy ??= trustedTypes?.createPolicy('kitseal', { createScriptURL: (own) => own })
      return new Worker(policy?.createScriptURL(url) ?? url)
    } finally {
      // The browser starts loading at once, but may still need the URL for a moment.
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    }
  }
}
