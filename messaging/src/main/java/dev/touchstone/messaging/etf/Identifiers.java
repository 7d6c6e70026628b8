package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Port;
import dev.touchstone.messaging.term.Ref;

/** A reader of pids, ports and references, of which each older form has a creation of one byte. */
final class Identifiers {
    private final Input in;
    private final Atoms atoms;

    Identifiers(Input in, Atoms atoms) {
        this.in = in;
        this.atoms = atoms;
    }

    Pid pid(int tag) {
        if (tag != Tag.NEW_PID && tag != Tag.PID) {
            throw in.unexpected("a pid", tag);
        }
        Atom node = atoms.node();
        boolean isNew = tag == Tag.NEW_PID;
        int at = in.take(isNew ? 12 : 9);
        return Pid.of(node, in.i32At(at), in.i32At(at + 4), isNew ? in.i32At(at + 8) : in.buffer[at + 8] & 0xff);
    }

    Port port(int tag) {
        Atom node = atoms.node();
        long id = tag == Tag.V4_PORT ? in.i64() : in.i32() & 0xffffffffL;
        return Port.of(node, id, tag == Tag.PORT ? in.u8() : in.i32());
    }

    Ref ref(int tag) {
        if (tag != Tag.NEWER_REFERENCE && tag != Tag.NEW_REFERENCE && tag != Tag.REFERENCE) {
            throw in.unexpected("a reference", tag);
        }
        if (tag == Tag.REFERENCE) {
            Atom node = atoms.node();
            int id = in.i32();
            return Ref.of(node, in.u8(), id);
        }
        int start = in.position - 1;
        int count = in.u16();
        if (count < 1 || count > Ref.MAX_IDS) {
            throw new MalformedTermException("not a reference: ids=" + count + "; expected=1.." + Ref.MAX_IDS, start);
        }
        Atom node = atoms.node();
        int creation = tag == Tag.NEWER_REFERENCE ? in.i32() : in.u8();
        if (count == 3) {
            int id0 = in.i32();
            int id1 = in.i32();
            return Ref.of(node, creation, id0, id1, in.i32());
        }
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = in.i32();
        }
        return Ref.of(node, creation, ids);
    }
}
