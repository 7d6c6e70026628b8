package dev.touchstone.benchmarks.messaging.peer;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * A class loader in which jinterface's package is our drop-in for it. The adapters of jinterface are defined here again, from the same
 * bytes, so both libraries do exactly the same work. Everything else comes from the class path, the node below the drop-in included.
 *
 * <p>The drop-in's classes lie as resources in a folder of ours: on the class path is the library that has the same names.
 */
public final class DropIn extends ClassLoader {

    private static final String LIBRARY = "com.ericsson.otp.erlang.";
    private static final String FOLDER = "META-INF/touchstone/drop-in/";
    private static final String PACKAGE = DropIn.class.getPackageName() + ".";

    /** The first words of the classes that are defined again: the adapters, and what they use that is not public. */
    private static final String[] AGAIN = {PACKAGE + "Jinterface", PACKAGE + "ServerThread"};

    private DropIn() {
        super("drop-in", DropIn.class.getClassLoader());
    }

    /** Starts and connects nodes. */
    public static EchoUnderTest echo(EchoShape shape) throws IOException {
        return (EchoUnderTest) call(
                JinterfaceEchoAdapter.class,
                "open",
                MethodType.methodType(EchoUnderTest.class, EchoShape.class),
                shape);
    }

    /** Starts one node. */
    public static MailboxUnderTest mailboxes() throws IOException {
        return (MailboxUnderTest)
                call(JinterfaceMailboxAdapter.class, "open", MethodType.methodType(MailboxUnderTest.class));
    }

    /** Makes the term and takes its bytes to decode. */
    public static TermUnderTest term(TermRecipe recipe, byte[] wire) {
        try {
            return (TermUnderTest) call(
                    JinterfaceTermAdapter.class,
                    "of",
                    MethodType.methodType(TermUnderTest.class, TermRecipe.class, byte[].class),
                    recipe,
                    wire);
        } catch (IOException e) {
            throw new IllegalStateException("a codec does no input or output", e);
        }
    }

    /** Calls a static method of an adapter that is loaded anew. */
    private static Object call(Class<?> adapter, String method, MethodType type, Object... arguments)
            throws IOException {
        try {
            Class<?> again = Class.forName(adapter.getName(), true, new DropIn());
            MethodHandle handle = MethodHandles.publicLookup().findStatic(again, method, type);
            return handle.invokeWithArguments(arguments);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the drop-in's adapter cannot be called: " + adapter.getName(), e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        String resource = resource(name);
        if (resource == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name, resource) : loaded;
        }
    }

    /** Returns the resource that a class is defined from here; null where the parent has the class. */
    private static @Nullable String resource(String name) {
        String file = name.replace('.', '/') + ".class";
        if (name.startsWith(LIBRARY)) {
            return FOLDER + file;
        }
        for (String again : AGAIN) {
            if (name.startsWith(again)) {
                return file;
            }
        }
        return null;
    }

    private Class<?> define(String name, String resource) throws ClassNotFoundException {
        try (InputStream in = DropIn.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new ClassNotFoundException("no resource " + resource);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException("cannot be read: " + resource, e);
        }
    }
}
