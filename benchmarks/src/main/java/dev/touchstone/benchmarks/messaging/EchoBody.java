package dev.touchstone.benchmarks.messaging;

import dev.touchstone.benchmarks.messaging.peer.EchoUnderTest;
import dev.touchstone.benchmarks.messaging.peer.TermFactory;
import dev.touchstone.benchmarks.messaging.peer.TermRecipe;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The bodies of the echo benchmark's messages, by the value of its parameter {@code body}. */
public enum EchoBody {
    /** A client sends its pid alone and gets five bytes. */
    PID(null),
    /** A client sends its pid with <code>{ok, Integer, Binary}</code>, and gets that. */
    OK_TUPLE(SampleTerm.OK_TUPLE),
    /** A client sends its pid with a binary of 1 KiB, and gets that. */
    KIB_1(new Bytes(1 << 10)),
    /** A client sends its pid with a binary of 64 KiB, and gets that. */
    KIB_64(new Bytes(64 << 10));

    @SuppressWarnings("ImmutableEnumChecker") // recipes have no state that changes
    private final Optional<TermRecipe> recipe;

    EchoBody(@Nullable TermRecipe recipe) {
        this.recipe = Optional.ofNullable(recipe);
    }

    /** Returns the recipe of what is sent beside the pid, if anything is. */
    Optional<TermRecipe> recipe() {
        return recipe;
    }

    /** Returns the bytes that the body takes on the wire at least, in either direction. */
    int bytes() {
        return recipe.map(body -> body instanceof Bytes bytes ? bytes.count : 0).orElse(0);
    }

    /** Makes the answer that a client must get. */
    <T> T answer(TermFactory<T> make) {
        return recipe.map(body -> body.build(make)).orElseGet(() -> make.binary(EchoUnderTest.answer()));
    }

    /** The recipe of a binary. */
    private record Bytes(int count) implements TermRecipe {
        private static final long SEED = 0x65_63_68_6fL;

        @Override
        public <T> T build(TermFactory<T> make) {
            byte[] bytes = new byte[count];
            new SplittableRandom(SEED).nextBytes(bytes);
            return make.binary(bytes);
        }
    }
}
