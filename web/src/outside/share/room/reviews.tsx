import { useState } from 'react'
import { Time } from '../../../parts/time.tsx'
import { nameText } from '../../../core/readable.ts'
import { rich, t } from '../../../core/texts.ts'
import { isAt, type Place, type Review } from './shared-room.ts'

export interface TickProps {
  readonly label: string
  /** For screen readers, if the label is the same for several. */
  readonly name?: string
  readonly isChecked: boolean
  readonly isDisabled: boolean
  /** Until it ends, the tick is as the reader left it. */
  onChange(isChecked: boolean): Promise<unknown> | void
}

export function Tick({ label, name, isChecked, isDisabled, onChange }: TickProps) {
  const [wanted, setWanted] = useState<boolean>()
  const change = async (is: boolean): Promise<void> => {
    setWanted(is)
    await onChange(is)
    setWanted(undefined)
  }
  return (
    <label className="room-tick">
      <input
        type="checkbox"
        aria-label={name}
        checked={wanted ?? isChecked}
        disabled={isDisabled}
        onChange={({ target }) => void change(target.checked)}
      />{' '}
      {label}
    </label>
  )
}

/** Who says that they have reviewed a kit, an item or a file, each as their own statement. */
export function ReviewedBy({
  reviews,
  place,
}: {
  readonly reviews: readonly Review[]
  readonly place: Place
}) {
  return reviews
    .filter((review) => isAt(place, review))
    .map(({ reviewer, reviewer_basis: basis, created_at }) => {
      const who =
        basis === 'not_verified'
          ? `${nameText(reviewer)} (${t('room.comments.notVerified')})`
          : nameText(reviewer)
      return (
        <span key={`${basis} ${reviewer}`} className="quiet room-reviewed">
          {rich('room.review.by', { who, day: <Time at={created_at} as="day" /> })}
        </span>
      )
    })
}
