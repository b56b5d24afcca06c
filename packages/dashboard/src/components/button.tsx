import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { texts } from '../texts.ts'
import { cx } from './cx.ts'

/** `primary` is the main action of a page, `danger` is for destructive actions, `quiet` has no border. */
export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-deep',
  plain: 'border border-line bg-raised text-ink hover:bg-hover',
  quiet: 'text-ink hover:bg-hover',
  danger: 'bg-danger text-on-danger hover:brightness-110',
}

/** Also for links that look like buttons. */
export function buttonClass(variant: ButtonVariant = 'plain'): string {
  return cx(
    'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-lg px-3 font-medium whitespace-nowrap',
    'transition-colors pointer-coarse:h-10 disabled:opacity-55 aria-disabled:opacity-55',
    VARIANTS[variant],
  )
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  icon?: LucideIcon
  /** Shows that an action is running, and ignores further clicks. */
  busy?: boolean
}

export function Button({
  variant = 'plain',
  icon: Icon,
  busy = false,
  type = 'button',
  children,
  className,
  onClick,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type={type}
      {...rest}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={cx(buttonClass(variant), className)}
    >
      {busy ? (
        <LoaderCircle size={16} className="animate-spin" aria-label={texts.common.wait} />
      ) : (
        Icon && <Icon size={16} aria-hidden />
      )}
      {children}
    </button>
  )
}
