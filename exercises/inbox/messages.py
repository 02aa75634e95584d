"""Makes the messages of lab `inbox`: the same files each time. Run it inside this folder."""

import json
import pathlib

FOLDER = pathlib.Path(__file__).parent / "messages"

CUSTOMERS = [
    "한빛상사", "O'Brien & Sons", "Café d'Or", "Müller GmbH", '"Zum Goldenen Löwen"',
    "김철수", "L'Étoile", "東京商店", "Smith; Jones -- Partners", "Ærø Kaffe",
]
NOTES = [
    "", "urgent", 'she said "today"', "don't ring", "문 앞에 놓아 주세요", "50 % off",
    "line one\nline two", "a\\b", "$(date)", "`now`", "tab\there", "100 €",
]


def message(day, number, order, kind="order", amount=None):
    at = day * 100 + number
    return {
        "msg_id": f"2026070{day}-{number:04}",
        "order_no": f"O-{order}",
        "kind": kind,
        "day": f"2026-07-0{day}",
        "day_no": number,
        "customer": CUSTOMERS[order % len(CUSTOMERS)],
        "amount": (at * 37) % 900 + 100 if amount is None else amount,
        "note": NOTES[at % len(NOTES)],
    }


def messages():
    """Returns the messages in the order in which they came."""
    came = [message(1, number, 1000 + number) for number in range(1, 19)]
    # Two that were sent again at once, and one after a while.
    came[5:5] = [came[4]]
    came[9:9] = [came[8]]
    came.append(came[2])
    # The numbers start over each day, so day 2 has them again.
    came += [message(2, number, 2000 + number) for number in range(1, 15)]
    # Orders that were modified: the same order, a message of its own.
    came += [
        message(2, 15, 1003, "modification"),
        message(2, 16, 1007, "modification", 0),
        message(2, 17, 2001, "modification"),
        message(2, 18, 1003, "modification"),
        message(2, 19, 2001, "cancellation"),
        message(2, 20, 1018, "modification"),
    ]
    # A night's batch that was run twice, and a message with another body under a number seen before.
    came += [message(2, 17, 2001, "modification"), message(2, 18, 1003, "modification")]
    came.append(message(2, 20, 1018, "modification"))
    came.append(message(1, 7, 1007, amount=999999))
    came += [message(2, 21, 2021), message(2, 22, 2022)]
    return came


def main():
    FOLDER.mkdir(exist_ok=True)
    seen = set()
    again = []
    for place, one in enumerate(messages(), 1):
        name = f"{place:03}.json"
        text = json.dumps(one, ensure_ascii=False, indent=1) + "\n"
        (FOLDER / name).write_text(text, encoding="utf-8")
        if one["msg_id"] in seen:
            again.append((name, one["msg_id"]))
        seen.add(one["msg_id"])
    print(f"{place} messages, {len(seen)} of them new; again: {again}")


if __name__ == "__main__":
    main()
