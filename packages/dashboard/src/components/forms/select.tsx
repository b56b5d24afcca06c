import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../cx.ts'
import { useFieldProps } from './field.tsx'
import { inputClass } from './text-input.tsx'

export interface Option {
  value: string
  label: string
}

/** Options from an object of values and labels. */
export const optionsOf = (labels: Readonly<Record<string, string>>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

interface Props extends ComponentProps<'select'> {
  options: readonly Option[]
}

/** The browser's native select, which works on every device and with every screen reader. */
export function Select({ options, className, ...rest }: Props): ReactNode {
  return (
    <span className={cx('relative block', className)}>
      <select {...useFieldProps()} {...rest} className={cx(inputClass, 'appearance-none pr-8')}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-soft"
      />
    </span>
  )
}
