# The last sequence of each reader. Keep it in your database, with what you store about the reader.
handled = {}


def handle(event):
    """Handles an event once, and none after a later one of the same reader."""
    uid = event["data"].get("uid")
    sequence = event.get("sequence")
    if sequence is not None:
        if sequence <= handled.get(uid, 0):
            return
        handled[uid] = sequence
    if event["type"] == "user.access_changed":
        rids = [one["rid"] for one in event["data"]["entitlements"]]
        print(f"{uid} may read: {' '.join(rids)}", flush=True)
    else:
        print(f"{event['type']} {event['id']}", flush=True)
