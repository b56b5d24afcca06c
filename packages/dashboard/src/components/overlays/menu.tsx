import { Check, Ellipsis, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { Fragment, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { IconButton } from '../icon-button.tsx'

export interface MenuItem {
  label: string
  detail?: string
  icon?: LucideIcon
  /** Shows a check mark, for the chosen one of several options. */
  checked?: boolean
  danger?: boolean
  disabled?: boolean
  /** Draws a line above the item. */
  apart?: boolean
  onSelect: () => void
}

export interface MenuGroup {
  heading?: string
  items: readonly MenuItem[]
}

const itemClass = cx(
  'flex items-center gap-2 rounded-md px-2 py-1.5 outline-none select-none pointer-coarse:py-2.5',
  'data-disabled:opacity-50 data-highlighted:bg-hover',
)

function Item({ item }: { item: MenuItem }): ReactNode {
  const { label, detail, icon: Icon, checked, danger, disabled = false, onSelect } = item
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={onSelect}
      {...(checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': checked })}
      className={cx(itemClass, danger && 'text-failed')}
    >
      {Icon && <Icon size={16} className="shrink-0" aria-hidden />}
      <span className="min-w-0 flex-1">
        {label}
        {detail !== undefined && <span className="block text-soft">{detail}</span>}
      </span>
      {checked && <Check size={16} className="shrink-0 text-accent" aria-hidden />}
    </Radix.Item>
  )
}

interface Props {
  /** The button that opens the menu. */
  children: ReactNode
  groups: readonly MenuGroup[]
  side?: 'top' | 'bottom' | 'right'
  align?: 'start' | 'end'
}

export function Menu({ children, groups, side = 'bottom', align = 'end' }: Props): ReactNode {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[70dvh] max-w-[min(22rem,92vw)] min-w-44 animate-appear overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          {groups.map((group, at) => (
            <Radix.Group key={group.heading ?? group.items[0]?.label ?? at}>
              {at > 0 && <Radix.Separator className="-mx-1 my-1 h-px bg-line" />}
              {group.heading !== undefined && (
                <Radix.Label className="px-2 py-1 text-xs text-soft">{group.heading}</Radix.Label>
              )}
              {group.items.map((item) => (
                <Fragment key={`${item.label} ${item.detail ?? ''}`}>
                  {item.apart && <Radix.Separator className="-mx-1 my-1 h-px bg-line" />}
                  <Item item={item} />
                </Fragment>
              ))}
            </Radix.Group>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The “more” menu (three dots) of a row or a page. */
export function MoreMenu({
  label,
  items,
}: {
  label: string
  items: readonly MenuItem[]
}): ReactNode {
  if (items.length === 0) return null
  return (
    <Menu groups={[{ items }]}>
      <IconButton icon={Ellipsis} label={label} />
    </Menu>
  )
}
