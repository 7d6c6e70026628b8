package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.QueueFailedException;
import dev.touchstone.queue.QueueRefusedException;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Appends that fail, after nothing, some or all of a group is in the log. */
class FailingLogTest {
    private static final StoreOptions NO_BACKGROUND = new StoreOptions(Long.MAX_VALUE, false);

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final StoreModel model = new StoreModel(random);
    private @Nullable QueueException failure; // thrown by the next append
    private boolean isLeft; // whether that append leaves its entries in the log

    @TempDir
    Path folder;

    private Path store() {
        return folder.resolve("store");
    }

    private static <E extends QueueException> E exception(Class<E> type) {
        try {
            Constructor<E> constructor = type.getDeclaredConstructor(IOException.class);
            constructor.setAccessible(true);
            return constructor.newInstance(new IOException("No space left on device"));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("constructor of " + type, e);
        }
    }

    @SuppressWarnings("unchecked")
    private DiskQueue<byte[]> failing(DiskQueue<byte[]> log) {
        return (DiskQueue<byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DiskQueue.class}, (proxy, method, args) -> {
                    QueueException thrown = failure;
                    if (thrown != null && method.getName().equals("offerAll")) {
                        failure = null;
                        if (isLeft) {
                            log.addAll((List<byte[]>) args[0]);
                        }
                        throw thrown;
                    }
                    try {
                        return method.invoke(log, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private PriceStore open() throws IOException {
        return PriceStore.open(store(), NO_BACKGROUND, StoreProgress.NONE, CrashPoint.Observer.NONE, this::failing);
    }

    @Test
    void update_thatTheLogRefuses_isNotVisible_andTheNextHasItsVersion() throws IOException {
        PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND).close();
        PriceStore store = open();
        for (int i = 0; i < 30; i++) {
            if (random.nextBoolean()) {
                failure = exception(QueueRefusedException.class);
                isLeft = random.nextBoolean();
                assertThatThrownBy(() -> store.update(new StoreModel(random).next(5)))
                        .isInstanceOf(StoreFailedException.class)
                        .hasMessageContaining("No space left on device");
                model.check(store.index(), "seed=" + seed);
            }
            assertThat(store.update(model.next(5))).as("seed=" + seed).isEqualTo(model.version());
            if (i == 15) {
                store.snapshot();
            }
        }
        Path image = PriceStoreTest.image(store(), folder.resolve("image"));
        try (PriceStore found = PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(found.index().version()).as("seed=" + seed).isEqualTo(model.version());
            model.check(found.index(), "seed=" + seed);
        }
        store.close();
    }

    @Test
    void update_afterTheLogFailed_isRefusedUntilTheStoreIsOpenedAgain() throws IOException {
        PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND).close();
        PriceStore store = open();
        store.update(model.next(5));
        failure = exception(QueueFailedException.class);
        assertThatThrownBy(() -> store.update(new StoreModel(random).next(5))).isInstanceOf(StoreFailedException.class);
        assertThatThrownBy(() -> store.update(new StoreModel(random).next(5)))
                .isInstanceOf(StoreFailedException.class)
                .hasMessageContaining("log failed before, and takes nothing until the store is opened again: log=");
        assertThatThrownBy(store::snapshot).isInstanceOf(StoreFailedException.class);
        model.check(store.index(), "seed=" + seed);
        store.close();
        try (PriceStore found = PriceStore.open(store(), NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(found.index().version()).isEqualTo(2);
            model.check(found.index(), "seed=" + seed);
        }
    }
}
