import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './icons.tsx'

interface Looks {
  /** `main`: what the page is for. `plain`: what else it offers. `quiet`: a link-like action. `danger`: what cannot be undone. */
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'small'
  readonly icon?: IconName | undefined
}

const classOf = ({ look = 'plain', size }: Looks, own = ''): string =>
  `button ${look} ${size ?? ''} ${own}`.trim()

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Looks {
  /** Its work goes on. It keeps the focus and does nothing. */
  readonly isBusy?: boolean
  /** What it is about, for screen readers, if several say the same. */
  readonly subject?: string | undefined
}

export function Button({ look, size, icon, isBusy, subject, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classOf({ ...(look && { look }), ...(size && { size }) }, className)}
      aria-busy={isBusy || undefined}
      {...rest}
      {...(isBusy === true && { onClick: (event) => event.preventDefault() })}
    >
      {icon !== undefined && <Icon name={icon} size={16} />}
      {children}
      {subject !== undefined && <span className="visually-hidden"> {subject}</span>}
    </button>
  )
}

/** A link that looks like a button, most often to a download. */
export function LinkButton({
  look,
  size,
  icon,
  className,
  children,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & Looks) {
  return (
    <a className={classOf({ ...(look && { look }), ...(size && { size }) }, className)} {...rest}>
      {icon !== undefined && <Icon name={icon} size={16} />}
      {children}
    </a>
  )
}

interface IconButtonProps {
  readonly icon: IconName
  /** Names it for screen readers, and on hover if there is no `title`. */
  readonly label: string
  readonly title?: string
}

export function IconButton({
  icon,
  label,
  title = label,
  ...rest
}: IconButtonProps & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={title} {...rest}>
      <Icon name={icon} size={16} />
    </button>
  )
}

/** A download by its icon. */
export function IconLink({ icon, label, title = label, href }: IconButtonProps & { readonly href: string }) {
  return (
    <a href={href} download className="icon-button" aria-label={label} title={title}>
      <Icon name={icon} size={16} />
    </a>
  )
}
