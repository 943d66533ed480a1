import { FileDrop, type FileItem } from '@portage/kit/desk/files';
import { useState } from 'react';

import { Example } from '../example.tsx';
import { useSay } from '../say.ts';
import classes from './list.module.css';

function Drop({ first, disabled = false }: { first: readonly FileItem[]; disabled?: boolean }) {
  const say = useSay();
  const [files, setFiles] = useState(first);
  return (
    <div className={classes['narrow']}>
      <FileDrop
        label={say('Documents of the move', 'Documents du déménagement', '搬家文件')}
        kinds={say('PDF or photo', 'PDF ou photo', 'PDF 或照片')}
        accept={['.pdf', 'image/*']}
        maxBytes={5_000_000}
        maxFiles={5}
        files={files}
        disabled={disabled}
        onAdd={(added) =>
          setFiles([
            ...files,
            ...added.map(({ name, size }) => ({ key: `${name}-${size}`, name, size, state: 'waiting' as const })),
          ])
        }
        onRemove={(key) => setFiles(files.filter((file) => file.key !== key))}
        onRetry={(key) =>
          setFiles(files.map((file) => (file.key === key ? { ...file, state: 'sending' as const, progress: 0 } : file)))
        }
      />
    </div>
  );
}

export function Files() {
  const say = useSay();
  return (
    <>
      <Example title={say('Empty', 'Vide', '空')}>
        <Drop first={[]} />
      </Example>
      <Example title={say('With files', 'Avec des fichiers', '有文件')}>
        <Drop
          first={[
            { key: 'a', name: 'elevator-booking-form-3550-jeanne-mance.pdf', size: 184_320, state: 'done' },
            { key: 'b', name: 'salon.jpg', size: 4_812_000, state: 'sending', progress: 0.42 },
            { key: 'c', name: 'piano.heic', size: 2_310_000, state: 'waiting' },
            {
              key: 'd',
              name: 'contract-signed-by-both-parties.pdf',
              size: 912_000,
              state: 'failed',
              problem: say(
                'The connection broke off. Try again.',
                'La connexion a été coupée. Réessayez.',
                '连接中断。请重试。',
              ),
            },
          ]}
        />
      </Example>
      <Example title={say('Not now', 'Pas maintenant', '暂不可用')}>
        <Drop first={[]} disabled />
      </Example>
    </>
  );
}
