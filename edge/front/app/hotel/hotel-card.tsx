import { fileAddress } from '../platform/addresses.ts'
import { useHotel } from '../platform/hotel.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { useTexts } from '../platform/texts.ts'
import { Facts, MailLink, PhoneLink } from '../ui/facts.tsx'
import { Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'

/** Name, picture and address of the hotel. */
export function HotelCard() {
  const t = useTexts('hotel/hotel-card')
  const { workspace } = useMemberContext()
  const { value: hotel, error, reload } = useHotel()
  if (!hotel) return <Problem error={error} onRetry={() => void reload()} />
  const website = fileAddress(hotel.website)
  const logo = fileAddress(workspace.logo_url)
  const address = [hotel.address, hotel.city, hotel.country].filter(Boolean).join(', ')
  return (
    <section class="card hotel-card" aria-labelledby="hotel-name">
      {logo ? <img src={logo} alt="" /> : <Icon name="hotel" size={56} />}
      <div>
        <h2 id="hotel-name" dir="auto">
          {hotel.name}
        </h2>
        {hotel.type && <p class="hint">{hotel.type.name}</p>}
        <Facts
          facts={[
            [t.address, address],
            [t.phone, hotel.phone && <PhoneLink number={hotel.phone} />],
            [t.email, hotel.email && <MailLink address={hotel.email} />],
            [
              t.website,
              website && (
                <a href={website} rel="noopener noreferrer" target="_blank">
                  {hotel.website?.replace(/^https?:\/\//i, '')}
                </a>
              ),
            ],
          ]}
        />
      </div>
    </section>
  )
}
