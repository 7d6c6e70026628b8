package dev.touchstone.builds.agent;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.builds.agent", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule NEEDS_THE_JDK_AND_JGIT_ONLY = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "com.google.errorprone.annotations.concurrent",
                    "dev.touchstone.builds.agent..",
                    "dev.touchstone.builds.file",
                    "java..",
                    "javax.net.ssl",
                    "org.eclipse.jgit..",
                    "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule JGIT_IS_KNOWN_TO_SOURCES_ONLY = noClasses()
            .that()
            .resideOutsideOfPackage("dev.touchstone.builds.agent.source..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.eclipse.jgit..");

    @ArchTest
    static final ArchRule LOGS_STAND_ALONE = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.builds.agent.log")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.touchstone.builds.agent",
                    "dev.touchstone.builds.agent.process",
                    "dev.touchstone.builds.agent.source");

    @ArchTest
    static final ArchRule PROCESSES_STAND_ALONE = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.builds.agent.process")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.touchstone.builds.agent",
                    "dev.touchstone.builds.agent.log",
                    "dev.touchstone.builds.agent.source");

    /** Where output goes may be said anywhere. */
    @ArchTest
    static final ArchRule PROCESSES_ARE_STARTED_IN_ONE_PLACE = noClasses()
            .that()
            .resideOutsideOfPackage("dev.touchstone.builds.agent.process")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.lang\\.(Process|ProcessBuilder)");

    @ArchTest
    static final ArchRule STORE_KNOWS_NO_BUILDS = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.builds.agent.store")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.touchstone.builds.agent", "dev.touchstone.builds.agent.source..");

    @ArchTest
    static final ArchRule NO_SOCKETS = noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.net\\.(Server)?Socket|java\\.nio\\.channels\\..*SocketChannel");
}
