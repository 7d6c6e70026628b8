package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Fun;

/** A reader that passes terms without making them: checks that they are complete, but neither names nor keys. */
final class Skipper {
    private final Input in;

    Skipper(Input in) {
        this.in = in;
    }

    void skip() {
        long terms = 1;
        while (terms > 0) {
            int tag = in.u8();
            if (tag == Tag.INTEGER) {
                in.take(4);
                terms--;
                continue;
            }
            terms += skipOne(tag) - 1;
            if (terms > in.remaining()) {
                throw in.truncated((int) Math.min(terms, Integer.MAX_VALUE));
            }
        }
    }

    /** Skips a term but for its parts; returns their number. */
    private long skipOne(int tag) {
        return switch (tag) {
            case Tag.SMALL_TUPLE -> in.u8();
            case Tag.LARGE_TUPLE -> in.count();
            case Tag.LIST -> in.count() + 1L;
            case Tag.MAP -> 2L * in.count();
            case Tag.EXPORT -> 3;
            case Tag.NEW_FUN -> {
                in.take(4 + 1 + Fun.UNIQ_BYTES + 4);
                yield in.count() + 4L;
            }
            default -> {
                skipLeaf(tag);
                yield 0;
            }
        };
    }

    private void skipLeaf(int tag) {
        switch (tag) {
            case Tag.NIL -> {}
            case Tag.SMALL_INTEGER -> in.take(1);
            case Tag.INTEGER -> in.take(4);
            case Tag.NEW_FLOAT -> in.take(8);
            case Tag.FLOAT -> in.take(Tag.FLOAT_BYTES);
            case Tag.STRING -> in.take(in.u16());
            case Tag.BINARY -> in.take(in.count());
            case Tag.BIT_BINARY, Tag.LARGE_BIG -> {
                int length = in.count();
                in.take(1);
                in.take(length);
            }
            case Tag.SMALL_BIG -> in.take(in.u8() + 1);
            default -> skipIdentifier(tag);
        }
    }

    private void skipIdentifier(int tag) {
        switch (tag) {
            case Tag.NEW_PID -> skipNode(12);
            case Tag.PID -> skipNode(9);
            case Tag.V4_PORT -> skipNode(12);
            case Tag.NEW_PORT -> skipNode(8);
            case Tag.PORT, Tag.REFERENCE -> skipNode(5);
            case Tag.NEWER_REFERENCE -> skipNode(4 * in.u16() + 4);
            case Tag.NEW_REFERENCE -> skipNode(4 * in.u16() + 1);
            default -> skipAtom(tag);
        }
    }

    private void skipNode(int bytesAfter) {
        skipAtom(in.u8());
        in.take(bytesAfter);
    }

    private void skipAtom(int tag) {
        switch (tag) {
            case Tag.SMALL_ATOM_UTF8, Tag.SMALL_ATOM -> in.take(in.u8());
            case Tag.ATOM_UTF8, Tag.ATOM -> in.take(in.u16());
            case Tag.ATOM_CACHE_REF -> in.take(1);
            default -> throw in.unexpected("a term", tag);
        }
    }
}
