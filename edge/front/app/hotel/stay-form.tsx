import type { Setting } from '../../../../gen/client/hotel.ts'
import { useAction } from '../platform/action.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { languageChoices, zoneChoices } from '../ui/choices.ts'
import { Checkbox, Select, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { ActionForm, useFields } from '../ui/form.tsx'
import { LogoRow } from './logo-row.tsx'

/** Times, colours and channels of the hotel: its settings profile. */
export function StayForm({ profile, onSaved }: { profile: Setting; onSaved: () => Promise<void> }) {
  const t = useTexts('hotel/stay-form')
  const { timezone, language, currency, check_in_time, check_out_time, primary_color, secondary_color } = profile
  const { enable_push, enable_email } = profile
  const { values, setValues, field } = useFields({
    timezone,
    language,
    currency,
    check_in_time,
    check_out_time,
    primary_color,
    secondary_color,
    enable_push,
    enable_email,
  })
  const update = async (body: typeof values | { logo_url: string | null }) => {
    await platform.hotel.updateSetting({ id: profile.id, body })
    await onSaved()
    notify(t.saved)
  }
  const save = useAction(() => update(values))
  const saveLogo = useAction((logo_url: string | null) => update({ logo_url }))
  const rules = { required: true, maxLength: 20 }
  return (
    <section class="card" aria-labelledby="stays">
      <h2 id="stays">{t.title}</h2>
      <Problem error={saveLogo.error} />
      <LogoRow
        logo={profile.logo_url}
        texts={{ name: t.logo, choose: t.chooseLogo, remove: t.removeLogo }}
        onLogo={address => void saveLogo.run(address)}
      />
      <ActionForm action={save} submit={t.save}>
        <div class="pair">
          <Select label={t.language} {...field('language', save)} choices={languageChoices(values.language)} />
          <Select label={t.timezone} {...field('timezone', save)} choices={zoneChoices(values.timezone, t.unset)} />
          <TextField label={t.checkIn} {...field('check_in_time', save)} {...rules} type="time" />
          <TextField label={t.checkOut} {...field('check_out_time', save)} {...rules} type="time" />
          <TextField label={t.currency} {...field('currency', save)} {...rules} />
          <TextField label={t.primary} {...field('primary_color', save)} {...rules} type="color" />
          <TextField label={t.secondary} {...field('secondary_color', save)} {...rules} type="color" />
        </div>
        <Checkbox
          label={t.push}
          checked={values.enable_push}
          onCheck={isOn => setValues({ ...values, enable_push: isOn })}
        />
        <Checkbox
          label={t.mail}
          checked={values.enable_email}
          onCheck={isOn => setValues({ ...values, enable_email: isOn })}
        />
      </ActionForm>
    </section>
  )
}
