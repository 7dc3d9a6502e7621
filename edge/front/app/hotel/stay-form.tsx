import { useState } from 'preact/hooks'
import type { Setting } from '../../../../gen/client/hotel.ts'
import { useAction } from '../platform/action.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { languageChoices, zoneChoices } from '../ui/choices.ts'
import { Button, Checkbox, Form, Select, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { LogoRow } from './logo-row.tsx'

/** Times, colours and channels of the hotel: its settings profile. */
export function StayForm({ profile, onSaved }: { profile: Setting; onSaved: () => Promise<void> }) {
  const t = useTexts('hotel/stay-form')
  const [form, setForm] = useState(profile)
  const save = useAction(async (changes: { logo_url: string | null } | undefined) => {
    const { timezone, language, currency, check_in_time, check_out_time, primary_color, secondary_color } = form
    const { enable_push, enable_email } = form
    const texts = { timezone, language, currency, check_in_time, check_out_time, primary_color, secondary_color }
    await platform.hotel.updateSetting({ id: profile.id, body: changes ?? { ...texts, enable_push, enable_email } })
    await onSaved()
    notify(t.saved)
  })
  type TextName = 'currency' | 'check_in_time' | 'check_out_time' | 'primary_color' | 'secondary_color'
  const field = (name: TextName, label: string, type: 'text' | 'time' | 'color') => (
    <TextField
      label={label}
      type={type}
      value={form[name]}
      error={save.fields[name]}
      required
      maxLength={20}
      onValue={value => setForm(now => ({ ...now, [name]: value }))}
    />
  )
  return (
    <section class="card" aria-labelledby="stays">
      <h2 id="stays">{t.title}</h2>
      <Problem error={save.error} />
      <LogoRow
        logo={profile.logo_url}
        texts={{ name: t.logo, choose: t.chooseLogo, remove: t.removeLogo }}
        onLogo={logo_url => void save.run({ logo_url })}
      />
      <Form onSubmit={() => void save.run(undefined)}>
        <div class="pair">
          <Select
            label={t.language}
            value={form.language}
            onValue={language => setForm(now => ({ ...now, language }))}
            choices={languageChoices(form.language)}
          />
          <Select
            label={t.timezone}
            value={form.timezone}
            onValue={timezone => setForm(now => ({ ...now, timezone }))}
            error={save.fields['timezone']}
            choices={zoneChoices(form.timezone, t.unset)}
          />
          {field('check_in_time', t.checkIn, 'time')}
          {field('check_out_time', t.checkOut, 'time')}
          {field('currency', t.currency, 'text')}
          {field('primary_color', t.primary, 'color')}
          {field('secondary_color', t.secondary, 'color')}
        </div>
        <Checkbox
          label={t.push}
          checked={form.enable_push}
          onCheck={enable_push => setForm(now => ({ ...now, enable_push }))}
        />
        <Checkbox
          label={t.mail}
          checked={form.enable_email}
          onCheck={enable_email => setForm(now => ({ ...now, enable_email }))}
        />
        <div class="actions">
          <Button look="main" type="submit" isBusy={save.isRunning}>
            {t.save}
          </Button>
        </div>
      </Form>
    </section>
  )
}
