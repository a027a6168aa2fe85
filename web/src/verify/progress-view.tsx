import { Button, Progress } from '@mantine/core'
import { bytesText } from '../readable.ts'
import { texts } from '../texts/index.ts'

export interface ProgressViewProps {
  readonly name: string
  readonly readBytes: number
  readonly allBytes: number
  onStop(): void
}

export function ProgressView({ name, readBytes, allBytes, onStop }: ProgressViewProps) {
  const t = texts.verify
  // A kit is read once and a little more: its directory, its documents.
  const percent = Math.min(100, allBytes === 0 ? 100 : (readBytes / allBytes) * 100)
  return (
    <section className="card" aria-label={t.working(name)}>
      <p className="strong">{t.working(name)}</p>
      <Progress value={percent} size="lg" aria-label={t.working(name)} transitionDuration={100} />
      <div className="row spread">
        <span className="quiet">
          {t.progress(bytesText(Math.min(readBytes, allBytes)), bytesText(allBytes))}
        </span>
        <Button variant="default" onClick={onStop}>
          {t.stop}
        </Button>
      </div>
    </section>
  )
}
