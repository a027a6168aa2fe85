import { utf8 } from './encoding/utf8.ts'
import { START_PAGE_PATH } from './envelope.ts'

/** Where the start page was in earlier kits. */
export const REDIRECT_PATH = 'verifier/index.html'

/** A page that opens START-HERE.html, for links to its earlier path. */
export function verifierRedirect(): Uint8Array {
  return utf8(`<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta http-equiv="refresh" content="0; url=../${START_PAGE_PATH}" />
<title>Kit verifier</title>
<p>The verifier is now <a href="../${START_PAGE_PATH}">${START_PAGE_PATH}</a>.</p>
</html>
`)
}
