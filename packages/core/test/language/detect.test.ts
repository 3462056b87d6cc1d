import { describe, expect, it } from 'vitest';

import { detectLanguage } from '../../src/language/detect.js';

const paragraphs: readonly (readonly [language: string, text: string])[] = [
  [
    'de',
    'Die Rückerstattung erfolgt innerhalb von vierzehn Tagen auf das ursprüngliche Zahlungsmittel. Für größere Gepäckstücke fällt eine Gebühr an, die am Schalter bezahlt werden kann. Bitte wählen Sie während der Öffnungszeiten die Nummer auf Ihrer Buchungsbestätigung.',
  ],
  [
    'fr',
    'Le remboursement est effectué dans un délai de quatorze jours sur le moyen de paiement utilisé. Les bagages à main sont gratuits jusqu’à huit kilos par passager. On a droit à un repas si le vol a plus de deux heures de retard, et le guichet vous donne un bon.',
  ],
  [
    'es',
    'El reembolso se realiza en un plazo de catorce días en el mismo medio de pago. No hay que pagar por el equipaje de mano hasta ocho kilos. Si el vuelo se retrasa más de dos horas, la compañía ofrece una comida a los pasajeros que esperan en el aeropuerto.',
  ],
  [
    'pt',
    'O reembolso é feito em até catorze dias no mesmo meio de pagamento. A bagagem de mão não pode exceder oito quilos por passageiro. Se o voo atrasar mais de duas horas, a companhia oferece uma refeição aos passageiros que aguardam no aeroporto. A troca do nome no bilhete não é possível.',
  ],
  [
    'it',
    'Il rimborso viene effettuato entro quattordici giorni sullo stesso mezzo di pagamento. Il bagaglio a mano è gratuito fino a otto chili per passeggero. Se il volo è in ritardo di oltre due ore, la compagnia offre un pasto ai passeggeri che aspettano in aeroporto.',
  ],
  [
    'nl',
    'De terugbetaling gebeurt binnen veertien dagen op dezelfde rekening. Handbagage tot acht kilo is gratis voor elke passagier. Als de vlucht meer dan twee uur vertraging heeft, is er een maaltijd in het restaurant van de luchthaven, en dat was al zo in de oude regeling.',
  ],
  [
    'ru',
    'Возврат средств осуществляется в течение четырнадцати дней на тот же счёт. Ручная кладь до восьми килограммов перевозится бесплатно. Если рейс задерживается более чем на два часа, пассажиры получают питание в аэропорту.',
  ],
  [
    'el',
    'Η επιστροφή χρημάτων γίνεται μέσα σε δεκατέσσερις ημέρες στον ίδιο λογαριασμό. Η χειραποσκευή έως οκτώ κιλά είναι δωρεάν για κάθε επιβάτη. Αν η πτήση καθυστερήσει περισσότερο από δύο ώρες, προσφέρεται γεύμα.',
  ],
  [
    'tr',
    'Para iadesi on dört gün içinde aynı hesaba yapılır. Sekiz kiloya kadar olan el bagajı her yolcu için ücretsizdir. Uçuş iki saatten fazla gecikirse, havayolu şirketi havaalanında bekleyen yolculara yemek ikram eder ve bilgi verir.',
  ],
  [
    'ja',
    '払い戻しは十四日以内に同じお支払い方法で行います。手荷物は一人につき八キロまで無料です。飛行機が二時間以上遅れた場合は、空港で食事をご用意いたします。',
  ],
  [
    'zh',
    '退款将在十四天内退回到原来的付款方式。每位旅客可以免费携带八公斤以内的手提行李。如果航班延误超过两个小时，航空公司会在机场为旅客提供餐食。',
  ],
  [
    'ko',
    '환불은 십사 일 이내에 같은 결제 수단으로 처리됩니다. 기내 수하물은 승객 한 명당 팔 킬로그램까지 무료입니다. 항공편이 두 시간 이상 지연되면 공항에서 식사를 제공합니다.',
  ],
  [
    'th',
    'การคืนเงินจะดำเนินการภายในสิบสี่วันผ่านช่องทางการชำระเงินเดิม ผู้โดยสารสามารถนำกระเป๋าถือขึ้นเครื่องได้ฟรีไม่เกินแปดกิโลกรัม หากเที่ยวบินล่าช้าเกินสองชั่วโมงสายการบินจะจัดอาหารให้',
  ],
  [
    'ar',
    'يتم رد المبلغ خلال أربعة عشر يوما إلى نفس وسيلة الدفع. يمكن لكل مسافر أن يحمل حقيبة يد حتى ثمانية كيلوغرامات مجانا. إذا تأخرت الرحلة أكثر من ساعتين تقدم الشركة وجبة للمسافرين في المطار.',
  ],
];

describe('detectLanguage', () => {
  it.each(paragraphs)(
    'knows %s from a paragraph, and from a whole document',
    async (language, text) => {
      expect(await detectLanguage([text])).toBe(language);
      expect(await detectLanguage(Array.from({ length: 30 }, () => text))).toBe(language);
    },
  );

  it.each([
    [
      'prose',
      [
        'Refunds are paid to the card you used, within fourteen days of the day we receive your request. If the flight was cancelled by us, you need not ask: the money is on its way.',
      ],
    ],
    [
      'questions and answers',
      [
        'Q: How long do refunds take? A: Fourteen days. Q: Can I change my name on the ticket? A: Yes, for a fee.',
      ],
    ],
    [
      'a table',
      Array.from(
        { length: 60 },
        (_, at) =>
          `Fare: Saver; Change fee: ${at} GBP; Refund: none; Cabin bag: 8 kg; Seat choice: 12 GBP.`,
      ),
    ],
    [
      'error codes',
      Array.from(
        { length: 60 },
        (_, at) =>
          `Code: E-${at}; Meaning: Sensor ${at} out of range; What to do: Reset valve ${at} and call extension 4000.`,
      ),
    ],
    ['a few words', ['Opening hours: Monday 9-17']],
    ['one word', ['Refunds']],
    ['figures', ['12:30 – 15:00, 8 kg, £5']],
    ['nothing', []],
    ['an empty text', ['']],
  ])('takes %s for English', async (_, texts) => {
    expect(await detectLanguage(texts)).toBe('en');
  });

  it('gives the language of most of the text', async () => {
    const [, german = ''] = paragraphs.find(([language]) => language === 'de') ?? [];
    const english =
      'Refunds are paid to the card you used, within fourteen days of the day we receive your request. '.repeat(
        3,
      );
    const mixed = (of: number): string[] =>
      Array.from({ length: 80 }, (_, at) => (at < of ? german : english));
    expect(await detectLanguage(mixed(60))).toBe('de');
    expect(await detectLanguage(mixed(20))).toBe('en');
  });

  it('does not fail for a text of broken characters', async () => {
    expect(await detectLanguage(['\ud800\u0000'.repeat(500)])).toBe('en');
  });
});
