import { BOUNDARY } from './receipt.ts'
import { utf8 } from './encoding/bytes.ts'

export const GUIDE_PATH = 'VERIFY.md'

interface GuideInput {
  readonly kitId: string
  readonly issuer: string
  readonly kid: string
}

/** VERIFY.md, the guide in each kit. It never uses a key from the kit. A test runs its commands. */
export function verificationGuide({ kitId, issuer, kid }: GuideInput): Uint8Array {
  return utf8(`# How to check this kit

Kit \`${kitId}\`, issued by \`${oneLine(issuer)}\`, signed with the key
\`${kid}\`.

${BOUNDARY}

A kit that verifies is byte for byte what the issuer signed, at the time stated in the receipt. Anyone can make a kit that
names this issuer, so nothing in this kit proves who made it, not even this page. To find out, you need one of these from
outside the kit:

- the issuer's address, as you know it from a contract, an earlier kit or your own records. The issuer publishes its keys
  there, at \`/.well-known/jwks.json\`.
- the ID of the issuer's key, received another way, such as by phone.

## With kitseal

Replace ISSUER with the issuer's address, as you know it, or KEY_ID with the key ID that you received:

\`\`\`
kitseal verify . --issuer ISSUER
kitseal verify . --kid KEY_ID
\`\`\`

## In a browser, offline

Open \`START-HERE.html\`, drop the kit on the page, and enter the key ID that you received, or choose the key set that
you downloaded from the issuer.

## By hand, with sha256sum and openssl

Run these commands in this folder. Each one prints a line that ends in OK; step 6 prints "Signature Verified
Successfully". Anything else means that the kit was changed, or that this issuer did not sign it. On macOS, use \`shasum -a 256\` instead of \`sha256sum\`.

1. Every file matches its hash in SHA256SUMS:

   \`\`\`sh
   sha256sum --quiet --strict -c SHA256SUMS && echo "files: OK"
   \`\`\`

2. No files were added:

   \`\`\`sh
   listed=$({
     cut -c67- SHA256SUMS
     printf '%s\\n' SHA256SUMS manifest.json receipt.json receipt.canonical.json receipt.sig jwks.json
     [ ! -e proofs/log.tlog-proof ] || echo proofs/log.tlog-proof
     [ ! -e proofs/time.tsr ] || echo proofs/time.tsr
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

5. The issuer publishes the key that the receipt names, and has not revoked it. Replace ISSUER with the issuer's address, as
   you know it. Without a connection, put the key set that you downloaded from the issuer in place of the curl command:

   \`\`\`sh
   issuer=ISSUER
   kid=$(sed 's/.*"public_key_kid":"\\([^"]*\\)".*/\\1/' receipt.canonical.json)
   keys=$(curl --fail --silent --show-error "$issuer/.well-known/jwks.json" | tr -d ' \\n')
   x=$(printf '%s' "\${keys%%\\"revoked_keys\\"*}" | tr '{' '\\n' | grep -F "\\"kid\\":\\"$kid\\"" | sed 's/.*"x":"\\([^"]*\\)".*/\\1/')
   print=$(printf '{"crv":"Ed25519","kty":"OKP","x":"%s"}' "$x" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')
   revoked=$(printf '%s' "$keys" | sed -n 's/.*"revoked_keys":\\[\\([^]]*\\).*/\\1/p' | grep -cF "$kid")
   [ "$print" = "$kid" ] && [ "$revoked" = 0 ] && grep -qF "\\"issuer\\":\\"$issuer\\"" receipt.canonical.json && echo "key: OK"
   \`\`\`

6. The signature is valid:

   \`\`\`sh
   key=$(mktemp)
   printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000' > "$key"
   [ "$print" = "$kid" ] && [ "$revoked" = 0 ] && printf '%s=' "$x" | tr -- '-_' '+/' | base64 -d >> "$key"
   openssl pkeyutl -verify -pubin -keyform DER -inkey "$key" -rawin -in receipt.canonical.json -sigfile receipt.sig
   rm "$key"
   \`\`\`

7. \`receipt.json\` contains the signed text and the signature, and the copy of the key set was not changed:

   \`\`\`sh
   signature=$(base64 < receipt.sig | tr -d '\\n=' | tr '+/' '-_')
   sed "s/,\\"signature_algorithm\\":/,\\"signature\\":\\"$signature\\"&/" receipt.canonical.json | tr -d '\\n' |
     cmp - receipt.json && grep -qx "Key-Set-SHA256: $(sha256sum < jwks.json | cut -c1-64)" bag-info.txt && echo "receipt: OK"
   \`\`\`

\`receipt.canonical.json\` is the signed text. It states the kit, the scope, the issuer and the time. If there is a file
\`proofs/log.tlog-proof\`, it states that the receipt is in a log. To check it, \`kitseal verify\` and \`START-HERE.html\` need a
policy with a key of the log that is not from this kit: anyone can make a proof with the name of a log. The receipt does not cover the files in \`proofs\`, so a proof that was
removed is noticed only with a policy (\`kitseal verify --policy\`), or once the log is pinned. If there is
a file \`proofs/time.tsr\`, a time-stamp authority has seen the checkpoint in the log proof, so the receipt existed by then. To
check it, get the root certificate of the authority from its website, and replace ROOTS with the name of its file. This
prints the time, and "Verification: OK". The certificates must have been valid at that time, not now. On macOS, use
\`date -j -u -f '%b %e %T %Y GMT' "$stamped" +%s\` instead of \`date -u -d "$stamped" +%s\`.

   \`\`\`sh
   roots=ROOTS
   if [ -e proofs/time.tsr ]; then
     checkpoint=$(mktemp)
     sed -e '1,/^$/d' -e '/^$/,$d' proofs/log.tlog-proof > "$checkpoint"
     stamped=$(openssl ts -reply -in proofs/time.tsr -text 2> /dev/null | sed -n 's/^Time stamp: //p')
     echo "$stamped"
     openssl ts -verify -data "$checkpoint" -in proofs/time.tsr -CAfile "$roots" -attime "$(date -u -d "$stamped" +%s)"
     rm "$checkpoint"
   fi
   \`\`\`
`)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n`]+/g, ' ')
}
