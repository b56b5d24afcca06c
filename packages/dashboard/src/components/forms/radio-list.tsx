import { RadioGroup } from 'radix-ui'
import { type ReactNode, useId } from 'react'

interface Props {
  /** The name of the choice, for screen readers. */
  label: string
  options: readonly { value: string; label: string; hint: string | undefined }[]
  value: string
  onChange: (value: string) => void
}

/** A choice of one of a few options, each with what it means. */
export function RadioList({ label: name, options, value: chosen, onChange }: Props): ReactNode {
  const id = useId()
  return (
    <RadioGroup.Root
      value={chosen}
      onValueChange={onChange}
      aria-label={name}
      className="grid divide-y divide-line rounded-lg border border-line"
    >
      {options.map(({ value, label, hint }) => (
        <div key={value} className="flex gap-2.5 p-3">
          <RadioGroup.Item
            value={value}
            id={`${id}-${value}`}
            aria-describedby={`${id}-${value}-hint`}
            className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-edge bg-card data-[state=checked]:border-accent"
          >
            <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
          </RadioGroup.Item>
          <div>
            <label htmlFor={`${id}-${value}`} className="font-medium">
              {label}
            </label>
            <p id={`${id}-${value}-hint`} className="text-soft">
              {hint}
            </p>
          </div>
        </div>
      ))}
    </RadioGroup.Root>
  )
}
