import type { GetHotelResponse } from '../../../../gen/client/hotel.ts'
import { useAction } from '../platform/action.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { TextField } from '../ui/controls.tsx'
import { notify } from '../ui/feedback.tsx'
import { ActionForm, useFields } from '../ui/form.tsx'

const names = ['name', 'address', 'city', 'country', 'phone', 'email', 'website'] as const
type Name = (typeof names)[number]
const kinds: Partial<Record<Name, 'tel' | 'email'>> = { phone: 'tel', email: 'email' }

/** Name and addresses of the hotel. Only what was changed is sent. */
export function HotelForm({ hotel, onSaved }: { hotel: GetHotelResponse; onSaved: () => Promise<void> }) {
  const t = useTexts('hotel/hotel-form')
  const before = Object.fromEntries(names.map(name => [name, hotel[name] ?? ''])) as Record<Name, string>
  const { values, field } = useFields(before)
  const changedNames = names.filter(name => values[name].trim() !== before[name])
  const save = useAction(async () => {
    const body = Object.fromEntries(changedNames.map(name => [name, values[name].trim() || null]))
    await platform.hotel.updateHotel({ id: hotel.id, body })
    await onSaved()
    notify(t.saved)
  })
  return (
    <section class="card" aria-labelledby="hotel">
      <h2 id="hotel">{t.title}</h2>
      <ActionForm action={save} submit={t.save} isDisabled={changedNames.length === 0}>
        <div class="pair">
          {names.map(name => (
            <TextField
              key={name}
              label={t[name]}
              {...field(name, save)}
              type={kinds[name] ?? 'text'}
              required={name === 'name'}
              maxLength={name === 'website' ? 2000 : 200}
            />
          ))}
        </div>
      </ActionForm>
    </section>
  )
}
