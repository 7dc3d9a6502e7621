import { useState } from 'preact/hooks'
import type { GetHotelResponse } from '../../../../gen/client/hotel.ts'
import { useAction } from '../platform/action.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, Form, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'

const names = ['name', 'address', 'city', 'country', 'phone', 'email', 'website'] as const
type Name = (typeof names)[number]
const kinds: Partial<Record<Name, 'tel' | 'email'>> = { phone: 'tel', email: 'email' }

/** Name and addresses of the hotel. Only what was changed is sent. */
export function HotelForm({ hotel, onSaved }: { hotel: GetHotelResponse; onSaved: () => Promise<void> }) {
  const t = useTexts('hotel/hotel-form')
  const before = Object.fromEntries(names.map(name => [name, hotel[name] ?? ''])) as Record<Name, string>
  const [form, setForm] = useState(before)
  const changedNames = names.filter(name => form[name].trim() !== before[name])
  const save = useAction(async () => {
    const body = Object.fromEntries(changedNames.map(name => [name, form[name].trim() || null]))
    await platform.hotel.updateHotel({ id: hotel.id, body })
    await onSaved()
    notify(t.saved)
  })
  return (
    <section class="card" aria-labelledby="hotel">
      <h2 id="hotel">{t.title}</h2>
      <Problem error={save.error} />
      <Form onSubmit={() => void (changedNames.length > 0 && save.run())}>
        <div class="pair">
          {names.map(name => (
            <TextField
              key={name}
              label={t[name]}
              type={kinds[name] ?? 'text'}
              value={form[name]}
              required={name === 'name'}
              error={save.fields[name]}
              maxLength={name === 'website' ? 2000 : 200}
              onValue={value => setForm(now => ({ ...now, [name]: value }))}
            />
          ))}
        </div>
        <div class="actions">
          <Button look="main" type="submit" isBusy={save.isRunning} disabled={changedNames.length === 0}>
            {t.save}
          </Button>
        </div>
      </Form>
    </section>
  )
}
