import { useState } from 'react'
import { nameText } from '../../../core/readable.ts'
import { rich, t } from '../../../core/texts.ts'
import { Tick } from '../../../parts/fields.tsx'
import { Time } from '../../../parts/time.tsx'
import { isAt, type Place, type Review } from '../shared.ts'

export interface ReviewTickProps {
  readonly label: string
  /** For screen readers, if the label is the same for several. */
  readonly name?: string | undefined
  readonly isChecked: boolean
  readonly isDisabled: boolean
  onChange(isChecked: boolean): Promise<unknown>
}

/** Until the service knows, the tick is as the reader left it. */
export function ReviewTick({ isChecked, onChange, ...props }: ReviewTickProps) {
  const [wanted, setWanted] = useState<boolean>()
  const change = async (is: boolean): Promise<void> => {
    setWanted(is)
    await onChange(is)
    setWanted(undefined)
  }
  return <Tick {...props} isChecked={wanted ?? isChecked} onChange={(is) => void change(is)} />
}

interface ReviewedByProps {
  readonly reviews: readonly Review[]
  readonly place: Place
}

/** Who says that they have reviewed a kit, an item or a file, each as their own statement. */
export function ReviewedBy({ reviews, place }: ReviewedByProps) {
  return reviews
    .filter((review) => isAt(place, review))
    .map(({ reviewer, reviewer_basis: basis, created_at }) => {
      const who =
        basis === 'not_verified'
          ? `${nameText(reviewer)} (${t('room.comments.notVerified')})`
          : nameText(reviewer)
      return (
        <span key={`${basis} ${reviewer}`} className="quiet">
          {rich('room.review.by', { who, day: <Time at={created_at} as="day" /> })}
        </span>
      )
    })
}
