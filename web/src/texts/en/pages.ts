import { number } from './words.ts'
export const pages = {
  frame: {
    name: 'kitseal',
    home: 'kitseal home page',
    skip: 'Skip to content',
    navigation: 'Main',
    verify: 'Verify',
    docs: 'Docs',
    console: 'Console',
    language: 'Language',
    documentTitle: (title: string) => (title === '' ? 'kitseal' : `${title} · kitseal`),
  },
  copy: {
    copyWhat: (what: string) => `Copy ${what}`,
    copied: 'Copied',
    failed: 'The browser blocked copying. Select the text and copy it yourself.',
  },
  problem: {
    offline: 'Cannot reach the service. Check your connection and try again.',
    unexpected: 'Unexpected response from the service. Reload the page and try again.',
    retry: 'Try again',
    title: 'Something went wrong',
    crashed: 'This page has crashed. Reload it to continue. Uploaded files are not lost.',
    reload: 'Reload',
  },
  /** Between a name and its value. */
  colon: ': ',
  loading: 'Loading',
  showAll: (count: number) => `Show all ${number(count)}`,
  home: {
    title: '',
    heading: 'Tamper-evident kits for your evidence',
    lead: 'Upload evidence and get a signed kit. Anyone can verify it: in a browser, on the command line or by hand, with or without this service.',
    verifyAction: 'Verify a kit',
    consoleAction: 'Open the console',
    steps: [
      {
        title: 'Upload evidence',
        text: 'Files, folders or a zip archive. Every file is checked. Problems are listed together, each with how to fix it.',
      },
      {
        title: 'Get a kit',
        text: 'Your files with their hashes, a manifest, a receipt signed with Ed25519, a binder to read and print, and an offline verifier.',
      },
      {
        title: 'Anyone can verify it',
        text: 'If a byte changes, a file is added or removed, or the key is not ours, verification fails and says why.',
      },
    ],
    proves: 'What “Verified” proves',
    provesList: [
      'The files match the manifest, byte for byte.',
      'The manifest matches the receipt.',
      'The receipt names a public key of this service.',
      'The receipt’s signature is valid.',
      'So the kit has not changed since it was issued.',
    ],
    provesNot: 'What “Verified” does not prove',
    provesNotList: [
      'That an organization is compliant or secure.',
      'That controls are effective.',
      'That a buyer, auditor, insurer, bank or regulator has accepted the evidence.',
      'That the evidence is true or sufficient. The supplier is responsible for its content.',
    ],
    keys: {
      title: 'Signing keys of this service',
      lead: 'A key ID is the fingerprint of a key. Before you rely on it, compare it with the one the issuer gave you through another channel.',
      kid: 'Key ID',
      since: 'Since',
      status: 'Status',
      issuer: 'Issuer',
      statuses: {
        active: 'Active',
        retired: (until: string) => `Retired on ${until}. Its receipts stay valid.`,
        revoked: (heading: string) =>
          `${heading}. Kits signed with it no longer verify. Ask the supplier for re-issued kits.`,
      },
      unavailable: 'Could not load the keys.',
      none: 'This service has no signing key yet.',
      file: 'Key set (jwks.json)',
    },
    offline: {
      title: 'Verify on the command line',
      text: 'The same checks, with the keys of this service:',
      command: (origin: string) => `kitseal verify kit.zip --issuer ${origin}`,
      more: 'Every kit also contains START-HERE.html, which verifies it offline in a browser, and VERIFY.md, which explains how to verify it with sha256sum and openssl.',
      what: 'command',
    },
    links: {
      title: 'For developers',
      docs: 'Documentation',
      openapi: 'OpenAPI description (openapi.json)',
      log: 'Transparency log',
    },
  },
  notFound: {
    title: 'Page not found',
    text: 'There is no page at this address.',
    action: 'Go to the home page',
  },
}
