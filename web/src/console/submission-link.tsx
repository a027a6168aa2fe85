import { Link } from '../router.tsx'

export function SubmissionLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/console/submissions/${id}`} className="code-link">
      <code>{id}</code>
    </Link>
  )
}
