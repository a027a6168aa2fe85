// docs/decisions/0333
import { BOUNDARY } from './contract.ts'
import { utf8 } from './encoding/utf8.ts'

export const GUIDE_PATH = 'VERIFY.md'

interface GuideInput {
  readonly kitId: string
  readonly issuer: string
  readonly kid: string
}

/** VERIFY.md, the guide in each kit. A test runs its commands. */
export function verificationGuide({ kitId, issuer, kid }: GuideInput): Uint8Array {
  return utf8(`# How to check this kit

Kit \`${kitId}\`, issued by \`${oneLine(issuer)}\`, signed with the key
\`${kid}\`.

${BOUNDARY}

A kit that passes is byte for byte what the owner of that key issued, at the time stated in the receipt. To make sure
that the key belongs to the issuer, ask the issuer, or compare it with the key set published at
\`/.well-known/jwks.json\` on the issuer's site. The copy of the key in this kit does not prove who made the kit.

## With kitseal

\`\`\`
kitseal verify . --kid ${kid}
\`\`\`

## In a browser, offline

Open \`verifier/index.html\` and drop the kit on the page.

## By hand, with sha256sum and openssl

Run these commands in this folder. Each one prints a line that ends in OK; step 6 prints "Signature Verified
Successfully". Anything else means that the kit was changed. On macOS, use \`shasum -a 256\` instead of \`sha256sum\`.

1. Every file matches its hash in SHA256SUMS:

   \`\`\`sh
   sha256sum --quiet --strict -c SHA256SUMS && echo "files: OK"
   \`\`\`

2. No files were added:

   \`\`\`sh
   listed=$({
     cut -c67- SHA256SUMS
     printf '%s\\n' SHA256SUMS manifest.json receipt.json receipt.canonical.json receipt.sig jwks.json
   } | LC_ALL=C sort)
   [ "$(find . ! -type d | cut -c3- | LC_ALL=C sort)" = "$listed" ] && echo "nothing added: OK"
   \`\`\`

3. SHA256SUMS matches the manifest:

   \`\`\`sh
   sums=$(sha256sum < SHA256SUMS | cut -c1-64)
   grep -q "{\\"path\\":\\"SHA256SUMS\\",\\"sha256\\":\\"$sums\\"," manifest.json && echo "list: OK"
   \`\`\`

4. The manifest matches the receipt (the hash is computed without the manifest_sha256 member):

   \`\`\`sh
   stated=$(sed 's/.*"manifest_sha256":"\\([0-9a-f]*\\)".*/\\1/' receipt.canonical.json)
   manifest=$(sed -n "s/\\"manifest_sha256\\":\\"$stated\\",\\(\\"receipt_version\\":\\"[^\\"]*\\"}\\)\\$/\\1/p" manifest.json |
     tr -d '\\n' | sha256sum | cut -c1-64)
   [ "$(wc -l < manifest.json)" -eq 0 ] && [ "$manifest" = "$stated" ] && echo "manifest: OK"
   \`\`\`

5. The public key matches the key ID, which is a hash of the key, and the key set was not changed:

   \`\`\`sh
   kid=${kid}
   x=$(tr '{' '\\n' < jwks.json | grep -F "\\"kid\\":\\"$kid\\"" | sed 's/.*"x":"\\([^"]*\\)".*/\\1/')
   print=$(printf '{"crv":"Ed25519","kty":"OKP","x":"%s"}' "$x" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')
   keys=$(sha256sum < jwks.json | cut -c1-64)
   [ "$print" = "$kid" ] && grep -q "\\"public_key_kid\\":\\"$kid\\"" receipt.canonical.json &&
     grep -qx "Key-Set-SHA256: $keys" bag-info.txt && echo "key: OK"
   \`\`\`

6. The signature is valid:

   \`\`\`sh
   key=$(mktemp)
   printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000' > "$key"
   printf '%s=' "$x" | tr -- '-_' '+/' | base64 -d >> "$key"
   openssl pkeyutl -verify -pubin -keyform DER -inkey "$key" -rawin -in receipt.canonical.json -sigfile receipt.sig
   rm "$key"
   \`\`\`

7. \`receipt.json\` contains the signed text and the signature:

   \`\`\`sh
   signature=$(base64 < receipt.sig | tr -d '\\n=' | tr '+/' '-_')
   sed "s/,\\"signature_algorithm\\":/,\\"signature\\":\\"$signature\\"&/" receipt.canonical.json | tr -d '\\n' |
     cmp - receipt.json && echo "receipt: OK"
   \`\`\`

\`receipt.canonical.json\` is the signed text. It states the kit, the scope, the issuer and the time.
`)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n`]+/g, ' ')
}
