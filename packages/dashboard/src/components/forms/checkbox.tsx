import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import { type MouseEvent, type ReactNode, useId } from 'react'
import { cx } from '../cx.ts'

interface Props {
  checked: boolean | 'indeterminate'
  onCheckedChange?: (checked: boolean) => void
  /** The event says whether Shift was held. */
  onClick?: (event: MouseEvent) => void
  label: string
  /** Shows the label to screen readers only. */
  bare?: boolean
  hint?: ReactNode
  disabled?: boolean
}

export function Checkbox({
  label,
  bare = false,
  hint,
  onCheckedChange,
  ...rest
}: Props): ReactNode {
  const id = useId()
  const box = (
    <Radix.Root
      id={id}
      {...rest}
      {...(bare ? { 'aria-label': label } : {})}
      {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
      onCheckedChange={(checked) => onCheckedChange?.(checked === true)}
      className={cx(
        'relative grid size-4 shrink-0 place-items-center rounded border border-edge bg-card text-on-accent',
        // Enlarges the clickable area without taking more space.
        'before:absolute before:-inset-2 data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        'data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent disabled:opacity-50',
      )}
    >
      <Radix.Indicator>
        {rest.checked === 'indeterminate' ? <Minus size={12} /> : <Check size={12} />}
      </Radix.Indicator>
    </Radix.Root>
  )
  if (bare) return box
  return (
    <div className="flex items-start gap-2">
      <span className="grid h-5 place-items-center">{box}</span>
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
