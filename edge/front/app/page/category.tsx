import type { CategoryReference } from '../../../../gen/client/news.ts'

export const isColour = (value: string | null | undefined): value is string =>
  /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value ?? '')

/** A category's icon when it is an emoji; names of icons belong to other clients. */
export const emojiOf = (icon: string | null): string | undefined =>
  icon && icon.length <= 12 && /^\p{Extended_Pictographic}/u.test(icon) ? icon : undefined

/** The mark of a category: its icon on its colour. */
export function CategoryMark({ icon, color }: Pick<CategoryReference, 'icon' | 'color'>) {
  const emoji = emojiOf(icon)
  return (
    <span
      class={emoji ? 'category-mark' : 'category-mark dot'}
      style={isColour(color) ? { '--category': color } : {}}
      aria-hidden="true"
    >
      {emoji}
    </span>
  )
}

export function CategoryTag({ category }: { category: CategoryReference }) {
  return (
    <span class="tag category">
      <CategoryMark icon={category.icon} color={category.color} />
      <span dir="auto">{category.name}</span>
    </span>
  )
}
