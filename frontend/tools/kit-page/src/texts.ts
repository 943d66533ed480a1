// named here and not by each package's index alone: a bundler passes over an index that only hands on
import '@portage/kit/texts';
import '@portage/kit/desk/texts';
