import { BOUNDARY } from './contract.ts'
import { utf8 } from './encoding/utf8.ts'

export const GUIDE_PATH = 'VERIFY.md'

interface GuideInput {
  readonly kitId: string
  readonly issuer: string
  readonly kid: string
}

/** The guide that travels in each kit. Its command lines are run as they stand by a test. */
export function verificationGuide({ kitId, issuer, kid }: GuideInput): Uint8Array {
  return utf8(`# How to check this kit

Kit \`${kitId}\`, issued by \`${oneLine(issuer)}\`, signed with the key
\`${kid}\`.

${BOUNDARY}

A kit that passes is byte for byte what was issued, by the owner of that key, at the time that the receipt states.
Whether that key belongs to the issuer is for you to find out: ask the issuer, or look at the key set that it publishes
(\`/.well-known/jwks.json\` at its address). The copy in this kit proves nothing about who made the kit.

## With kitseal

\`\`\`
kitseal verify . --kid ${kid}
\`\`\`

## In a browser, without a network

Open \`verifier/index.html\` and drop the kit on the page.

## By hand, with sha256sum and openssl

Run these lines in this folder. Each prints a line that ends in OK, or the signature line of openssl; anything else
means that the kit is not what was issued. (On macOS, \`shasum -a 256\` stands for \`sha256sum\`.)

1. Every file is the one that the list names:

   \`\`\`sh
   sha256sum --quiet --strict -c SHA256SUMS && echo "files: OK"
   \`\`\`

2. No file was added:

   \`\`\`sh
   listed=$({
     cut -c67- SHA256SUMS
     printf '%s\\n' SHA256SUMS manifest.json receipt.json receipt.canonical.json receipt.sig jwks.json
   } | LC_ALL=C sort)
   [ "$(find . ! -type d | cut -c3- | LC_ALL=C sort)" = "$listed" ] && echo "nothing added: OK"
   \`\`\`

3. The list is the one in the manifest:

   \`\`\`sh
   sums=$(sha256sum < SHA256SUMS | cut -c1-64)
   grep -q "{\\"path\\":\\"SHA256SUMS\\",\\"sha256\\":\\"$sums\\"," manifest.json && echo "list: OK"
   \`\`\`

4. The manifest is the one that the receipt names (its hash leaves its own hash out), in one line:

   \`\`\`sh
   stated=$(sed 's/.*"manifest_sha256":"\\([0-9a-f]*\\)".*/\\1/' receipt.canonical.json)
   manifest=$(sed -n "s/\\"manifest_sha256\\":\\"$stated\\",\\(\\"receipt_version\\":\\"[^\\"]*\\"}\\)\\$/\\1/p" manifest.json |
     tr -d '\\n' | sha256sum | cut -c1-64)
   [ "$(wc -l < manifest.json)" -eq 0 ] && [ "$manifest" = "$stated" ] && echo "manifest: OK"
   \`\`\`

5. The public key is the one with this key ID (the key ID is a hash of the key), in the key set that was issued:

   \`\`\`sh
   kid=${kid}
   x=$(tr '{' '\\n' < jwks.json | grep -F "\\"kid\\":\\"$kid\\"" | sed 's/.*"x":"\\([^"]*\\)".*/\\1/')
   print=$(printf '{"crv":"Ed25519","kty":"OKP","x":"%s"}' "$x" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')
   keys=$(sha256sum < jwks.json | cut -c1-64)
   [ "$print" = "$kid" ] && grep -q "\\"public_key_kid\\":\\"$kid\\"" receipt.canonical.json &&
     grep -qx "Key-Set-SHA256: $keys" bag-info.txt && echo "key: OK"
   \`\`\`

6. The receipt is signed with that key:

   \`\`\`sh
   key=$(mktemp)
   printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000' > "$key"
   printf '%s=' "$x" | tr -- '-_' '+/' | base64 -d >> "$key"
   openssl pkeyutl -verify -pubin -keyform DER -inkey "$key" -rawin -in receipt.canonical.json -sigfile receipt.sig
   rm "$key"
   \`\`\`

7. \`receipt.json\` says what is signed, and the signature:

   \`\`\`sh
   signature=$(base64 < receipt.sig | tr -d '\\n=' | tr '+/' '-_')
   sed "s/,\\"signature_algorithm\\":/,\\"signature\\":\\"$signature\\"&/" receipt.canonical.json | tr -d '\\n' |
     cmp - receipt.json && echo "receipt: OK"
   \`\`\`

\`receipt.canonical.json\` is the signed text: it names the kit, the scope, the issuer and the time.
`)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n`]+/g, ' ')
}
